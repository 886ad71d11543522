/** The measured system: its database, its processes, and their use of the machine. */
@NullMarked
package dev.millrace.bench.system;

import org.jspecify.annotations.NullMarked;
