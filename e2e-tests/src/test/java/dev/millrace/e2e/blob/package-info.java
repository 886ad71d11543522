/** Tests of blobs over REST. */
@NullMarked
package dev.millrace.e2e.blob;

import org.jspecify.annotations.NullMarked;
