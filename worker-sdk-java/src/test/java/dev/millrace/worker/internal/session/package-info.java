@NullMarked
package dev.millrace.worker.internal.session;

import org.jspecify.annotations.NullMarked;
