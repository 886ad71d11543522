/** Commands for blobs: files and other values that are too large for inputs and results. */
@NullMarked
package dev.millrace.cli.blob;

import org.jspecify.annotations.NullMarked;
