# The shell of a page. Runs the blocks whose files are named on descriptor 3, and answers "ok" or "LINE STATUS" on descriptor 4.

guide_folder=$1
guide_checkout=$PWD
guide_log=$guide_folder/server.log

# What npx runs here. It takes twice as long itself, so only pages that have Lectern installed run it.
if [ "$2" != npx ]; then
  npx() {
    if [ "$1" = lectern ]; then
      node "$guide_checkout/bin/lectern.js" "${@:2}"
    else
      command npx "$@"
    fi
  }
fi

# HTTP errors fail, as they do for readers who look at the answer, also in a pipe. With -f pages look at them.
curl() {
  local option status
  for option; do
    if [[ $option =~ ^(-[a-zA-Z]*f[a-zA-Z]*|--fail)$ ]]; then
      command curl --show-error "$@"
      return
    fi
  done
  command curl --fail-with-body --show-error "$@"
  status=$?
  [ "$status" != 22 ] || echo "${BASH_LINENO[0]} 22" >"$guide_block.error"
  return "$status"
}

# Ctrl-C in the terminal of the server, if there is one.
guide_stop_server() {
  rm -f "$guide_log"
  [ -n "$guide_server" ] || return 0
  kill -INT -- "-$guide_server" 2>/dev/null
  wait "$guide_server" 2>/dev/null
  # What npm or npx started may end after it.
  while pgrep --pgroup "$guide_server" --runstates D,R,S >/dev/null 2>&1; do sleep 0.1; done
  guide_server=
}

# The server in the background, whose process group is $1.
guide_await_server() {
  guide_server=$1
  echo "$guide_server" >"$guide_folder/server.group"
  until grep -qsE 'Lectern is ready|Ctrl-C ends' "$guide_log"; do
    if ! kill -0 "$guide_server" 2>/dev/null; then
      cat "$guide_log"
      return 1
    fi
    sleep 0.1
  done
}

# Whether a page says that curl gets the error; else the status of curl.
guide_is_announced() {
  local error
  error=$(sed -n 's/.*returned error: \([0-9]*\).*/\1/p' "$guide_block.out" | tail -n 1)
  [[ $1 == 22 && " $guide_announced " == *" $error "* ]] || return "$1"
}

while read -r -u 3 guide_block guide_announced; do
  guide_failure=
  . "$guide_block" >"$guide_block.out" 2>&1 </dev/null 3<&- 4>&-
  trap - ERR
  if [[ -z $guide_failure && -z $guide_announced && -f $guide_block.error ]]; then
    guide_failure=$(<"$guide_block.error")
  fi
  env -0 >"$guide_block.env"
  echo "${guide_failure:-ok}" >&4
done
guide_stop_server
