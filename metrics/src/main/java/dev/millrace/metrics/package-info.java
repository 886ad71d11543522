/** Metrics of the services: how they are defined, counted, and shown to Prometheus. */
@NullMarked
package dev.millrace.metrics;

import org.jspecify.annotations.NullMarked;
