/** What users write tests of flows with: in Java with {@link dev.millrace.test.FlowTest}, and their test files in JUnit. */
@NullMarked
package dev.millrace.test;

import org.jspecify.annotations.NullMarked;
