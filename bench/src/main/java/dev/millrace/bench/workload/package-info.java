/** What is measured, one class a workload; each checks that the work was done right. */
@NullMarked
package dev.millrace.bench.workload;

import org.jspecify.annotations.NullMarked;
