@NullMarked
package dev.millrace.worker.internal.permission;

import org.jspecify.annotations.NullMarked;
