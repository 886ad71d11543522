/** What scripts for Deno may do beside computing, as they ask for it and as workers grant it. */
@NullMarked
package dev.millrace.worker.internal.permission;

import org.jspecify.annotations.NullMarked;
