/** Texts that people write and read, understood and worded the same way by every part of Millrace. Pure. */
@NullMarked
package dev.millrace.text;

import org.jspecify.annotations.NullMarked;
