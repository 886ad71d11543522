# Greets someone. The last line of the output is the result.
name="$1"
echo "Greeting $name" >&2
echo "Hello, $name."
