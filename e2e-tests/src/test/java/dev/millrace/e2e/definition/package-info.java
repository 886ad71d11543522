/** What is deployed: how it comes and goes. */
@NullMarked
package dev.millrace.e2e.definition;

import org.jspecify.annotations.NullMarked;
