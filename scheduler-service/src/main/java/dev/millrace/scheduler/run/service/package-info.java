/** The gRPC service of runs: submitting and waiting, reading, listing, watching and canceling. */
@NullMarked
package dev.millrace.scheduler.run.service;

import org.jspecify.annotations.NullMarked;
