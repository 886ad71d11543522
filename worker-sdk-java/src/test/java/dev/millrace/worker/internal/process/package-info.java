@NullMarked
package dev.millrace.worker.internal.process;

import org.jspecify.annotations.NullMarked;
