# Functions and package lists shared by the scripts in deploy/ (run, test, demo, docs, lab, bench, fuzz),
# which source this file. It changes to the checkout's root.

set -euo pipefail
script=$(realpath "$0")
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Prints the script's help, which is the comment at its top.
print_help() { sed -n '2,${/^#/!q;s/^# \{0,1\}//p}' "$script"; }

# Prints the help and exits if the first argument asks for it.
help_if_asked() {
    case ${1:-} in -h | --help) print_help && exit ;; esac
}

# Prints that the script does not have this argument, and the help, and exits with 2.
refuse() {
    {
        echo "deploy/$(basename "$script") has no argument $1."
        echo
        print_help
    } >&2
    exit 2
}

# Installs those of the named Debian packages that are missing. If not run as root, prints the
# command line that installs them, and exits.
need_packages() {
    local missing=() package
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
            missing+=("$package")
    done
    if [ ${#missing[@]} -eq 0 ]; then return; fi
    if [ "$(id -u)" -ne 0 ]; then
        echo "These Debian packages are missing: ${missing[*]}. Install them, then start again:"
        echo
        echo "    sudo apt-get update && sudo apt-get install -y ${missing[*]}"
        exit 1
    fi
    echo "Installing with apt: ${missing[*]}"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >/dev/null
}

# Creates a folder in .build with packages from PyPI: need_python_tools FOLDER PACKAGE ... If PyPI cannot
# be reached, the tests that need them are skipped, and the test run lists them.
need_python_tools() {
    local folder="$PWD/.build/$1"
    shift
    if cmp -s <(printf '%s\n' "$@") "$folder/installed"; then return; fi
    echo "Installing into ${folder#"$PWD"/}: $*"
    python3 -m venv "$folder"
    if "$folder/bin/pip" install --quiet --disable-pip-version-check --retries 1 "$@"; then
        printf '%s\n' "$@" >"$folder/installed"
    else
        echo "PyPI cannot be reached: what needs these is left out."
    fi
}

# Exits with instructions if the Swift toolchain is missing or too old.
need_swift() {
    if ! command -v swift >/dev/null; then
        echo "Swift is missing. Install Swift 6.3 or later from https://www.swift.org/install/linux/"
        exit 1
    fi
    local version
    if ! swift --version >/dev/null 2>&1; then
        echo "Swift does not start: $(swift --version 2>&1 | head -1)"
        echo "Install what https://www.swift.org/install/linux/ lists for Debian 12, then start again."
        exit 1
    fi
    version=$(swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+)\.([0-9]+).*/\1 \2/p')
    local major=${version% *} minor=${version#* }
    if [ "${major:-0}" -lt 6 ] || { [ "$major" -eq 6 ] && [ "$minor" -lt 3 ]; }; then
        echo "Swift ${major:-?}.${minor:-?} is too old: Swift 6.3 or later is needed."
        exit 1
    fi
}

# Packages that a build needs. The Swift compiler links with gcc's runtime files and reads the
# headers of libuv, RocksDB, xxHash, zstd, http_parser, nghttp2 and OpenSSL.
build_packages=(
    libuv1-dev librocksdb-dev libxxhash-dev libzstd-dev libhttp-parser-dev
    libnghttp2-dev libssl-dev
    pkg-config gcc g++
    libc6-dev git ca-certificates
)

# What `reload-lab bench publish` and `bench apns` compare with, without which there is no reference, and a
# peer of tests of pushes to APNs.
reference_packages=(nginx-light nghttp2-client nghttp2-server)

# Packages that the router and its tests need at run time in addition: the dashboard's charts.
runtime_packages=(libjs-chart.js)

# The tools of the languages in protocol/clients.
client_packages=(
    python3 nodejs node-typescript golang-go openjdk-17-jdk-headless mono-mcs mono-runtime php-cli php-curl
)

# What makes pages of the documents, from PyPI: Debian 12's Furo lacks files of its own.
docs_tools=(sphinx==9.0.4 myst-parser==5.2.0 furo==2025.12.19)

# Runs a build, and prints what it says but for its progress.
quietly() {
    # With pipefail, a failing build fails the pipeline. The braces hide grep's exit status, because an
    # empty output is not a failure.
    "$@" 2>&1 | { grep -vE '^\[|^Building|^Build comp|^Build of|^remark: Incremental|^warning: ignoring' || true; }
}

# Builds release binaries, silently if they are up to date: build_release [PROGRAM ...]
# Without a name, it builds the router.
build_release() {
    need_swift
    need_packages "${build_packages[@]}" "${runtime_packages[@]}"
    local program
    for program in "${@:-reload-router}"; do
        if [ ! -x ".build/release/$program" ]; then
            echo "Building $program (the first time takes some minutes) ..."
        fi
        quietly swift build -c release --product "$program" || return 1
    done
}
