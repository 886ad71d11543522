/** The names of the parameters of a script's {@code main}, as far as its text alone tells them for certain. */
@NullMarked
package dev.millrace.text.signature;

import org.jspecify.annotations.NullMarked;
