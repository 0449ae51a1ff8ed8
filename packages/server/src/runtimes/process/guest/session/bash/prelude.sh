# What the bash of a session knows before its first cell. Reports go to descriptor 62, each ended by a zero byte.
set +o history +H +m
unset PS1 PS2 HISTFILE HISTFILESIZE HISTSIZE MAILCHECK
exec 2>&63 63>&-

# how a cell ended, and where; `$?` stays what it was
__coherex_done() {
  printf 'done\t%s\t%s\0' "$1" "${__coherex_line-}" >&62
  __coherex_line=
  return "$1"
}

__coherex_variables() {
  { printf 'variables\t'; declare -p; declare -F; printf '\0'; } >&62
  return "$1"
}

# stands for `read` where somebody can be asked: the driver adds their line to standard input, a file, before it is read
__coherex_read() {
  [[ /dev/fd/0 -ef /dev/fd/61 ]] && __coherex_ask "$@"
  builtin read "$@"
}

__coherex_ask() {
  local __coherex_prompt='' __coherex_secret='' __coherex_option OPTIND=1 OPTARG
  while getopts ':a:d:ei:n:N:p:rst:u:' __coherex_option "$@"; do
    case $__coherex_option in
      p) __coherex_prompt=$OPTARG ;;
      s) __coherex_secret=yes ;;
      u) return ;;
    esac
  done
  printf 'ask\t%s\t%s\0' "$__coherex_secret" "$__coherex_prompt" >&62
  IFS= builtin read -r -u 60 __coherex_option
}

trap '[[ ${BASH_SOURCE[0]-} == /dev/fd/59 ]] && __coherex_line=$LINENO' ERR
printf 'begun\0' >&62
