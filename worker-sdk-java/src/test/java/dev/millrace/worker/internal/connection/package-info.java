@NullMarked
package dev.millrace.worker.internal.connection;

import org.jspecify.annotations.NullMarked;
