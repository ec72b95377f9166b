#!/usr/bin/env bash
# SwiftPM of Swift 6.3.1 on Linux, started with `nice -n 10` by root: `swift build` itself keeps the niceness 10,
# and the compilers that it starts run with 0, as if nobody had asked for less. Its threads call setpriority (strace
# shows 0 and -4); on Linux the priority is a thread's, and a child inherits that. So a build that should leave the
# cores to others takes as much of them as these. The scheduling policy is kept: with `chrt --idle 0`, the
# compilers run as SCHED_IDLE.
# Expected: with what each compiler is started, by what the build is started with.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
swift --version 2>/dev/null | grep -o 'Swift version [0-9.]*'
if [ "$(id -u)" != 0 ]; then echo "needs root: others cannot raise a priority again" && exit 77; fi

mkdir -p Sources/One
echo 'public let one = 1' >Sources/One/One.swift
cat >Package.swift <<'END'
// swift-tools-version: 6.0
import PackageDescription
let package = Package(name: "one", targets: [.target(name: "One")])
END
# Stands for the compiler, and notes with what priority it was started.
cat >swiftc <<END
#!/bin/sh
case "\$*" in *-emit-module*) echo "niceness \$(nice), \$(chrt -p \$\$ | sed -n 's/.*policy: //p')" >>"$folder/started" ;; esac
exec "$(command -v swiftc)" "\$@"
END
chmod +x swiftc

build() {
    rm -rf .build started
    SWIFT_EXEC=$folder/swiftc "$@" swift build >build.log 2>&1 || { cat build.log && exit 1; }
    printf '%-16s %s\n' "$*:" "$(sort -u started | paste -sd ';')"
}
{
    build nice -n 0
    build nice -n 10
    build chrt --idle 0
} | tee found
diff found - <<'END'
nice -n 0:       niceness 0, SCHED_OTHER
nice -n 10:      niceness 0, SCHED_OTHER
chrt --idle 0:   niceness 0, SCHED_IDLE
END
