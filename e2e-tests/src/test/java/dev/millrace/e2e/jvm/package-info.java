/** Programs of users in Java. */
@NullMarked
package dev.millrace.e2e.jvm;

import org.jspecify.annotations.NullMarked;
