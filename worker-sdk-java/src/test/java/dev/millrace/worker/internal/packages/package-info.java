@NullMarked
package dev.millrace.worker.internal.packages;

import org.jspecify.annotations.NullMarked;
