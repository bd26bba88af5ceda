#!/bin/sh
# Commands with the settings, and as the user, of the units; installed as /usr/local/sbin/lectern:
#   sudo lectern keys list --tenant acme
set -e
# As systemd reads it: no shell looks at what is behind the equals sign.
while IFS= read -r line || [ -n "$line" ]; do
  case $line in
    '#'* | ';'* | '') continue ;;
  esac
  name=${line%%=*} value=${line#*=}
  case $value in
    \"*\" | \'*\')
      value=${value#?}
      value=${value%?}
      ;;
  esac
  export "$name=$value"
done < /etc/lectern/lectern.env
exec runuser --user lectern -- /usr/bin/node /opt/lectern/node_modules/lectern/bin/lectern.js "$@"
