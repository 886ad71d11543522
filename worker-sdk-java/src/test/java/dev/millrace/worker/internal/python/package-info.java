@NullMarked
package dev.millrace.worker.internal.python;

import org.jspecify.annotations.NullMarked;
