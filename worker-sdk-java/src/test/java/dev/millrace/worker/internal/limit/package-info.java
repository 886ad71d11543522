@NullMarked
package dev.millrace.worker.internal.limit;

import org.jspecify.annotations.NullMarked;
