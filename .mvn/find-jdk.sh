# Sourced by mvnw and millrace: finds a JDK of at least MILLRACE_JDK_MIN and exports JAVA_HOME.
# Looks at JAVA_HOME, then java on the PATH, then where the common installers put JDKs.
MILLRACE_JDK_MIN=25

millrace_jdk_major() {
  [ -x "$1/bin/javac" ] || return 1
  "$1/bin/javac" -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p'
}

millrace_find_jdk() {
  on_path=$(command -v javac 2>/dev/null || true)
  [ -z "$on_path" ] || on_path=$(dirname "$(dirname "$(readlink -f "$on_path")")")
  for candidate in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/* "$HOME"/.sdkman/candidates/java/* \
    "$HOME"/.jdks/* "$HOME"/.local/share/mise/installs/java/* /Library/Java/JavaVirtualMachines/*/Contents/Home /opt/jdk*; do
    [ -n "$candidate" ] || continue
    major=$(millrace_jdk_major "$candidate" || true)
    if [ -n "$major" ] && [ "$major" -ge "$MILLRACE_JDK_MIN" ]; then
      JAVA_HOME=$candidate
      export JAVA_HOME
      return 0
    fi
  done
  echo "Millrace needs a JDK $MILLRACE_JDK_MIN or newer and found none: install one (for example Temurin $MILLRACE_JDK_MIN) or set JAVA_HOME to it." >&2
  return 1
}
