/** Languages that come with the SDK. */
@NullMarked
package dev.millrace.worker.internal.language;

import org.jspecify.annotations.NullMarked;
