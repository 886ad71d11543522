/** Starts services in this process: embedded Postgres, scheduler, gateway, worker. */
@NullMarked
package dev.millrace.cli.local;

import org.jspecify.annotations.NullMarked;
