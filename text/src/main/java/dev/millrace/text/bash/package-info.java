/** Scripts in Bash, as far as their text tells: the parameters that they take. Pure. */
@NullMarked
package dev.millrace.text.bash;

import org.jspecify.annotations.NullMarked;
