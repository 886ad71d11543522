/** Scripts in Go, as far as their text tells: what the parameters of {@code main} take from JSON. Pure. */
@NullMarked
package dev.millrace.text.go;

import org.jspecify.annotations.NullMarked;
