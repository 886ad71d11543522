/** The workloads, one class each; each checks that its work was done right. */
@NullMarked
package dev.millrace.bench.workload;

import org.jspecify.annotations.NullMarked;
