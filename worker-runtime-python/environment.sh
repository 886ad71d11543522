# Makes the virtual environment .venv of tests and builds, unless it is current. Sourced by test.sh and package.sh.
# MILLRACE_PYTHON chooses the interpreter; default: python3.
python=${MILLRACE_PYTHON:-python3}
command -v "$python" >/dev/null || {
  echo "The Python runtime's tests need Python 3.10 or newer: install it, or set MILLRACE_PYTHON to the interpreter." >&2
  exit 1
}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || {
  echo "$python is $("$python" -V 2>&1), but Millrace needs Python 3.10 or newer: set MILLRACE_PYTHON to one." >&2
  exit 1
}

# The environment is current if this interpreter made it from these requirements.
stamp="$("$python" -c 'import sys; print(sys.executable, sys.version_info)') $(cat requirements-*.txt | cksum)"
if [ "$(cat .venv/stamp 2>/dev/null)" != "$stamp" ]; then
  rm -rf .venv
  "$python" -m venv .venv || {
    echo "$python cannot make a virtual environment: install its venv module (Debian, Ubuntu: apt install python3-venv)." >&2
    exit 1
  }
  .venv/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-test.txt -r requirements-client.txt
  echo "$stamp" >.venv/stamp
fi
