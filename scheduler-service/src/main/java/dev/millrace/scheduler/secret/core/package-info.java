/** What a secret is. */
@NullMarked
package dev.millrace.scheduler.secret.core;

import org.jspecify.annotations.NullMarked;
