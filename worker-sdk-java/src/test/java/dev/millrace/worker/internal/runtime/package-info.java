@NullMarked
package dev.millrace.worker.internal.runtime;

import org.jspecify.annotations.NullMarked;
