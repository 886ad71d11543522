/** Pure parts of masking: spellings of a secret, the search for many patterns at once, and JSON as raw bytes. */
@NullMarked
package dev.millrace.worker.internal.secret.core;

import org.jspecify.annotations.NullMarked;
