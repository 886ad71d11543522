/** Issues certificates for trials and tests. Not for production: the authority's key is an ordinary file. */
@NullMarked
package dev.millrace.certificate;

import org.jspecify.annotations.NullMarked;
