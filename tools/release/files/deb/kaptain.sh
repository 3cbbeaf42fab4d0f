#!/bin/sh
# Runs a command of Kaptain as the user of its service and on its data: kaptain help
set -a
KAPTAIN_DATA_DIR=/var/lib/kaptain
[ ! -r /etc/default/kaptain ] || . /etc/default/kaptain
set +a
if [ "$(id -u)" -eq 0 ]; then
  exec setpriv --reuid=kaptain --regid=kaptain --init-groups -- /opt/kaptain/kaptain "$@"
fi
exec /opt/kaptain/kaptain "$@"
