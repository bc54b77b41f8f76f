# Shared by ./hydae and ./dev: packages and builds. Sourced, never run.
# shellcheck shell=bash disable=SC2154

RUN_PACKAGES=(g++ cmake ninja-build libeigen3-dev libfmt-dev libcli11-dev nlohmann-json3-dev
  libsuitesparse-dev libsundials-dev libffi-dev coinor-libipopt-dev libcairo2-dev)
TEST_PACKAGES=(libgtest-dev libgmock-dev python3)
CHECK_PACKAGES=(clang-format clang-tidy)

# locked FILE WHAT COMMAND...: runs COMMAND while no other launch does under the same lock file.
locked() {
  local file=$1 what=$2
  shift 2
  if ! command -v flock >/dev/null; then "$@"; return; fi
  mkdir -p "$(dirname "$file")"
  (
    if ! flock --nonblock 9; then
      echo "hydae: waiting for another $what to end" >&2
      flock 9
    fi
    "$@" 9>&-
  ) 9>"$file"
}

missing_packages() {
  local package status
  declare -A status_of
  while read -r package status; do status_of[$package]=$status; done < <(
    # shellcheck disable=SC2016  # dpkg-query expands the braces
    dpkg-query -W -f='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true)
  for package in "$@"; do
    [ "${status_of[$package]:-}" = installed ] || printf '%s\n' "$package"
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
  locked "${HYDAE_PACKAGE_LOCK:-/var/lock/hydae-packages}" installation install_missing "$@"
}

# Asks again what is missing: another launch may have installed it while this one waited.
install_missing() {
  local missing log
  mapfile -t missing < <(missing_packages "$@")
  if [ ${#missing[@]} -eq 0 ]; then return 0; fi
  echo "hydae: installing ${missing[*]}" >&2
  log=$(mktemp)
  if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y \
         --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "hydae: the packages could not be installed; the whole log is $log" >&2
    exit 2
  fi
  rm -f "$log"
}

# Seconds as a person says them: 40 s, 3 min.
duration() {
  if [ "$1" -lt 60 ]; then echo "$1 s"; else echo "$((($1 + 30) / 60)) min"; fi
}

# Tenths of a processor second of one step of a build from nothing (a group of sources, a link):
# processor time of the whole build divided by its steps, without ccache. Measured with g++ 12 on two
# processors at 2.8 GHz: release 6.3 minutes for 96 steps, dev 12.2 for 172.
declare -A STEP_TENTHS=([release]=39 [dev]=43 [asan]=70 [bench]=39)

# predicted_seconds PRESET STEPS: on this machine, as busy as it is now. What runs already takes its
# share: ninja has two jobs more than there are processors.
predicted_seconds() {
  local processors load
  processors=$(nproc)
  load=$(cut -d. -f1 /proc/loadavg 2>/dev/null || echo 0)
  echo $(($2 * ${STEP_TENTHS[$1]:-43} * (processors + 2 + load) / (processors + 2) / processors / 10 + 1))
}

# Says before a build from nothing how long it takes.
announce() {
  local preset=$1 steps
  if [ -e "$root/build/$preset/.ninja_log" ]; then
    echo "hydae: building ($preset)" >&2
    return
  fi
  steps=$(ninja -C "$root/build/$preset" -t commands 2>/dev/null | wc -l)
  echo "hydae: building ($preset): $steps steps, about $(
    duration "$(predicted_seconds "$preset" "$steps")") on $(nproc) processors" >&2
}

# Reads the output of ninja. On a terminal one line that changes; otherwise a line per 10 % of a build
# that has at least ten steps.
show_progress() {
  local preset=$1 line finished total tenth=0 left start=$SECONDS
  while IFS= read -r line; do
    if ! [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (Building|Linking) ]]; then continue; fi
    finished=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]} left=""
    if [ $((finished * 20)) -ge "$total" ]; then
      left=", about $(duration $(((SECONDS - start) * (total - finished) / finished))) left"
    fi
    if [ -t 2 ]; then
      printf '\r\033[Khydae: building (%s): %d of %d%s' "$preset" "$finished" "$total" "$left" >&2
    elif [ "$total" -ge 10 ] && [ $((finished * 10 / total)) -gt "$tenth" ]; then
      tenth=$((finished * 10 / total))
      echo "hydae: building ($preset): $finished of $total$left" >&2
    fi
  done
  if [ -t 2 ]; then printf '\r\033[K' >&2; fi
}

# What a build reads, one line per file. Sizes and times together: a file that was restored with an
# older time, or deleted, is a change too.
list_sources() {
  (cd "$root" && find src include tool cmake CMakeLists.txt CMakePresets.json -type f \
    -printf '%p %s %T@\n' | LC_ALL=C sort)
}

# build PRESET: configures and builds, one launch at a time.
build() { locked "$root/build/$1.lock" build configure_and_build "$1"; }

# The list of sources is taken first: what is edited during the build is built by the next one.
configure_and_build() {
  local preset=$1 folder=$root/build/$1
  local log=$folder/build.log
  mkdir -p "$folder"
  list_sources >"$folder/sources.new"
  rm -f "$folder/sources"
  if ! cmake -S "$root" --preset "$preset" >"$log" 2>&1; then build_failed "$log"; fi
  announce "$preset"
  if ! cmake --build "$folder" 2>&1 | tee -a "$log" | show_progress "$preset"; then
    build_failed "$log"
  fi
  mv "$folder/sources.new" "$folder/sources"
}

build_failed() {
  grep -E -A8 'error|FAILED' "$1" | head -n 60 >&2 || true
  echo "hydae: the build failed; the whole log is $1" >&2
  exit 4
}

is_built() {
  [ -x "$root/build/$1/tool/hydae" ] && [ -e "$root/build/$1/sources" ] &&
    [ "$(list_sources)" = "$(<"$root/build/$1/sources")" ]
}

# Asks again under the lock: the launch that this one waited for has probably built it.
build_if_older() { is_built "$1" || locked "$root/build/$1.lock" build build_unless_built "$1"; }
build_unless_built() { is_built "$1" || configure_and_build "$1"; }
