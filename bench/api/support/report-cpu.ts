/** Loaded into a measured process before anything else: answers the message "cpu" with the CPU time that it has used. */
process.on('message', (message) => {
  if (message !== 'cpu') return;
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicroseconds: user + system });
});
// Listening alone does not keep the process running.
process.channel?.unref();
