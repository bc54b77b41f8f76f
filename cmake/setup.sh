# Shared by ./hydae and ./dev: packages and builds. Sourced, never run.
# shellcheck shell=bash disable=SC2154

RUN_PACKAGES=(g++ cmake ninja-build libeigen3-dev libfmt-dev libcli11-dev nlohmann-json3-dev
  libsuitesparse-dev libsundials-dev libffi-dev coinor-libipopt-dev gnuplot-nox)
TEST_PACKAGES=(libgtest-dev libgmock-dev python3)
CHECK_PACKAGES=(clang-format clang-tidy)

missing_packages() {
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)" = installed ] ||
      printf '%s\n' "$package"
  done
}

# Installs Debian packages that are not there yet: as root at once, otherwise it says how and stops.
install_packages() {
  local missing
  if ! command -v dpkg-query >/dev/null; then return 0; fi
  mapfile -t missing < <(missing_packages "$@")
  if [ ${#missing[@]} -eq 0 ]; then return 0; fi
  if [ "$(id -u)" -ne 0 ]; then
    {
      echo "hydae needs packages that are not installed. Run this, then try again:"
      echo "  sudo apt-get install -y ${missing[*]}"
    } >&2
    exit 2
  fi
  echo "hydae: installing ${missing[*]}" >&2
  local log
  log=$(mktemp)
  if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
         "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "hydae: the packages could not be installed; the whole log is $log" >&2
    exit 2
  fi
  rm -f "$log"
}

# build PRESET: configures and builds; output of a build that works is one line per percent at most.
build() {
  local preset=$1 log
  mkdir -p "$root/build/$preset"
  log=$root/build/$preset/build.log
  echo "hydae: building ($preset)" >&2
  if ! { cmake -S "$root" --preset "$preset" && cmake --build "$root/build/$preset"; } >"$log" 2>&1; then
    grep -E -A8 'error|FAILED' "$log" | head -n 60 >&2 || true
    echo "hydae: the build failed; the whole log is $log" >&2
    exit 4
  fi
  touch "$root/build/$preset/.built"
}

build_if_older() {
  local stamp=$root/build/$1/.built
  if [ -e "$stamp" ] && [ -z "$(find "$root/src" "$root/include" "$root/tool" "$root/cmake" \
      "$root/CMakeLists.txt" "$root/CMakePresets.json" -newer "$stamp" -print -quit)" ]; then
    return 0
  fi
  build "$1"
}
