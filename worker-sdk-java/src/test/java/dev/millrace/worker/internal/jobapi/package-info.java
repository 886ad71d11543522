@NullMarked
package dev.millrace.worker.internal.jobapi;

import org.jspecify.annotations.NullMarked;
