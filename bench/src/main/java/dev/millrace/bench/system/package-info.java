/** The system under measurement: its database, its processes, and what they use of the machine. */
@NullMarked
package dev.millrace.bench.system;

import org.jspecify.annotations.NullMarked;
