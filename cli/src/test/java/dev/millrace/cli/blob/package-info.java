/** Tests of the commands for blobs. */
@NullMarked
package dev.millrace.cli.blob;

import org.jspecify.annotations.NullMarked;
