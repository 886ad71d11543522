@NullMarked
package dev.millrace.bench.workload;

import org.jspecify.annotations.NullMarked;
