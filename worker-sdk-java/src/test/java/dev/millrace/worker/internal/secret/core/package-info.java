@NullMarked
package dev.millrace.worker.internal.secret.core;

import org.jspecify.annotations.NullMarked;
