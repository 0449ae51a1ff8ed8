#!/bin/sh
# Node cannot put pipes behind its own descriptors 1 and 2: they are made here, for native code and for child processes.
# Its reading ends are 4 and 5; the writing ends are opened apart, because only the reading ones must never wait.
pipes=$(mktemp -d) && mkfifo "$pipes/1" "$pipes/2" && exec 4<>"$pipes/1" 5<>"$pipes/2" 6>"$pipes/1" 7>"$pipes/2" || exit 70
rm -r "$pipes"
export COHEREX_FD=3
exec /opt/node/bin/node --no-warnings --expose-internals "$(dirname "$0")/main.js" >&6 2>&7 6>&- 7>&-
