#!/bin/sh
# Commands with the settings, and as the user, of the units; installed as /usr/local/sbin/lectern:
#   sudo lectern keys list --tenant acme
set -ae
. /etc/lectern/lectern.env
exec runuser --user lectern -- /usr/bin/node /opt/lectern/node_modules/lectern/bin/lectern.js "$@"
