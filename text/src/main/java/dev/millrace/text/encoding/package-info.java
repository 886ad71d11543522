/** Texts in other encodings than UTF-8, read without loss or not at all. */
@NullMarked
package dev.millrace.text.encoding;

import org.jspecify.annotations.NullMarked;
