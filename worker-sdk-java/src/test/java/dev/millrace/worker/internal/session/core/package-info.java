@NullMarked
package dev.millrace.worker.internal.session.core;

import org.jspecify.annotations.NullMarked;
