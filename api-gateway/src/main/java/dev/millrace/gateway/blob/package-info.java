/** Blobs: uploads and downloads of bytes of any size, which never are in the memory of the gateway as a whole. */
@NullMarked
package dev.millrace.gateway.blob;

import org.jspecify.annotations.NullMarked;
