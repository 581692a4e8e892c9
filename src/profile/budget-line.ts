export function budgetLine(metric: string, name: string, limit: number): string {
  return `${metric}(${name}) <= ${limit}`;
}
