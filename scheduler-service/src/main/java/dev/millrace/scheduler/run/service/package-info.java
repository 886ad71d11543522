/** What callers ask of runs over gRPC: submit them and wait, read, list, watch and cancel them. */
@NullMarked
package dev.millrace.scheduler.run.service;

import org.jspecify.annotations.NullMarked;
