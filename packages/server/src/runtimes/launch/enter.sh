# Becomes the sandbox. Runs as the unprivileged user, in a user and mount namespace of its own made by unshare(1).
# $1 staging directory, $2 mount options of the disk, $3 seccomp filter, $4 bwrap options, $5 not empty for terminals; the rest
# is the program.
# Descriptor 3 is the guest protocol, 4 the gate, 5 takes bwrap's report, 6 is the program's standard input.
exec 0<&6 6<&-

# the host opens the gate once this process is in its control group, so that all of its children are too
read -r go <&4 || exit 1
exec 4<&-

stage=$1 disk=$2 filter=$3 options=$4 terminals=$5
shift 5

# one tmpfs for home and /tmp: bwrap's own has no limit on inodes
mount -t tmpfs -o "$disk" tmpfs "$stage" || exit 1
mkdir "$stage/home" "$stage/tmp" ${terminals:+"$stage/pts"} || exit 1
# an instance of its own: terminals of the host and of other sandboxes are not in it
[ -z "$terminals" ] || mount -t devpts -o newinstance,nosuid,noexec,ptmxmode=0666,mode=0620 devpts "$stage/pts" || exit 1

# a shell exports where it is; the guest's pid 1 would show it
unset PWD OLDPWD
ulimit -c 0
exec bwrap --info-fd 5 --seccomp 6 --args 7 -- "$@" 6<"$filter" 7<"$options"
